-- Claims of an app's own in its access tokens: from a service of the operator's, and from what is known of the account.

-- What a client's tokens carry beside the usual. The address speaks the contract of Entra's onTokenIssuanceStart.
create table client_claims (
    client_id       text primary key references clients on delete cascade,
    url             text,                              -- null: attributes alone
    audience        text,
    application     text not null default '99045fe1-7639-4a75-9d4a-577b6ca3810f',   -- `azp` of our calls
    allowed         text[] not null default '{}',      -- the service's claims that reach a token
    failure         text not null default 'closed' check (failure in ('open', 'closed')),
    attributes      jsonb not null default '{}',       -- attribute -> claim
    refresh_seconds integer check (refresh_seconds between 60 and 31536000),        -- null: asked once for a session
    check ((url is null) = (audience is null))
);

-- Whether the custom challenge of the operator's may be a second factor for the app's people.
alter table clients add column custom_challenge boolean not null default false;

-- The claims of a session, and when they are due to be asked for again (null: never).
alter table sessions add column claims jsonb, add column claims_due_at timestamptz;

-- A change reaches open sessions at their next refresh.
create function client_claims_changed() returns trigger language plpgsql as $$
begin
    update sessions set claims_due_at = now()
     where client_id = coalesce(new.client_id, old.client_id) and ended_at is null and expires_at > now();
    perform pg_notify('gateway_clients', '');
    perform pg_notify('gateway_sessions', 'all');
    return null;
end $$;
create trigger client_claims_changed after insert or update or delete on client_claims
    for each row execute function client_claims_changed();

-- What an account's attributes give, by a map from attribute to claim; together at most 1 KB. An address or number
-- counts once it is proved, and no attribute that somebody typed stands in for it.
create function attribute_claims(p_account uuid, p_map jsonb) returns jsonb language plpgsql stable as $$
declare
    known jsonb;
    mapped record;
    claims jsonb := '{}';
    room integer := 1024;
begin
    if p_map = '{}' then
        return claims;
    end if;
    select (a.attributes - array['display_name', 'user_name', 'email', 'phone'])
           || jsonb_strip_nulls(jsonb_build_object(
               'display_name', a.display_name, 'user_name', a.user_name,
               'email', (select e.address from account_emails e
                          where e.account_id = a.id and e.proved_at is not null order by e.is_main desc, e.added_at limit 1),
               'phone', (select p.phone_key from account_phones p
                          where p.account_id = a.id and p.proved_at is not null order by p.is_main desc, p.added_at limit 1)))
      into known from accounts a where a.id = p_account;
    for mapped in select m.key as attribute, m.value as claim from jsonb_each_text(p_map) m order by m.key loop
        if known ? mapped.attribute then
            room := room - octet_length(mapped.claim) - octet_length((known->mapped.attribute)::text);
            exit when room < 0;
            claims := claims || jsonb_build_object(mapped.claim, known->mapped.attribute);
        end if;
    end loop;
    return claims;
end $$;

-- All claims of a session; null for none.
create function session_claims(p_account uuid, p_claims jsonb, p_map jsonb) returns jsonb language sql stable as $$
    select nullif(attribute_claims(p_account, p_map) || p_claims, '{}');
$$;

-- Keeps the claims of a live session (null leaves those there are) and answers with them, or with nothing where it is over.
create function set_session_claims(p_session uuid, p_claims jsonb, p_map jsonb, p_due_seconds integer) returns setof jsonb
language plpgsql as $$
begin
    return query
        update sessions s
           set claims = case when p_claims is null then s.claims else session_claims(s.account_id, p_claims, p_map) end,
               claims_due_at = now() + make_interval(secs => p_due_seconds)
         where s.id = p_session and s.ended_at is null and s.expires_at > now()
        returning coalesce(s.claims, '{}');
    if found then
        perform pg_notify('gateway_sessions', 'session:' || p_session);
    end if;
end $$;

-- As in 0010, with claims. Outcomes: as there, and claims_due: nothing was changed; ask for the claims and come again with
-- `p_renews` (`p_claims` null: those there are stay). New claims and the rotation are one, so that a retry finds the same.
drop function rotate_refresh_token(uuid, integer, bytea, bytea, integer, text, text);
create function rotate_refresh_token(
    p_session uuid, p_generation integer, p_digest bytea, p_next_digest bytea, p_grace_seconds integer,
    p_address text, p_request text,
    p_renews boolean default false, p_claims jsonb default null, p_map jsonb default '{}', p_due_seconds integer default null,
    out outcome text, out account_id uuid, out client_id text, out provider text, out auth_time timestamptz, out amr text[], out acr text,
    out rotated_at timestamptz, out idle_expires_at timestamptz, out claims jsonb)
language plpgsql as $$
declare
    held record;
begin
    update sessions s
       set generation = s.generation + 1, previous_digest = s.refresh_digest, refresh_digest = p_next_digest, rotated_at = now(),
           idle_expires_at = least(s.expires_at, now() + make_interval(secs => s.idle_seconds)),
           claims = case when p_renews and p_claims is not null then session_claims(s.account_id, p_claims, p_map) else s.claims end,
           claims_due_at = case when p_renews then now() + make_interval(secs => p_due_seconds) else s.claims_due_at end
     where s.id = p_session and s.generation = p_generation and s.refresh_digest = p_digest
       and s.ended_at is null and s.idle_expires_at > now() and s.expires_at > now()
       and (p_renews or s.claims_due_at is null or s.claims_due_at > now())
    returning s.account_id, s.client_id, s.provider, s.auth_time, s.amr, s.acr, s.rotated_at, s.idle_expires_at, s.claims
      into account_id, client_id, provider, auth_time, amr, acr, rotated_at, idle_expires_at, claims;
    if found then
        insert into audit_events (action, outcome, account_id, session_id, client_id, provider, address, request_id)
        values ('refreshed', 'done', account_id, p_session, client_id, provider, p_address, p_request);
        if p_renews then
            perform pg_notify('gateway_sessions', 'session:' || p_session);
        end if;
        outcome := 'rotated';
        return;
    end if;
    select s.* into held from sessions s where s.id = p_session for update;
    if not found then
        outcome := 'unknown';
        return;
    end if;
    account_id := held.account_id;
    if held.ended_at is not null then
        outcome := 'ended';
    elsif held.generation = p_generation + 1 and held.previous_digest = p_digest
          and held.rotated_at > now() - make_interval(secs => p_grace_seconds)
          and held.refresh_digest = p_next_digest then
        outcome := 'repeated';
        client_id := held.client_id; provider := held.provider; auth_time := held.auth_time; amr := held.amr; acr := held.acr;
        rotated_at := held.rotated_at; idle_expires_at := held.idle_expires_at; claims := held.claims;
    elsif p_generation < held.generation then
        outcome := 'reused';
        update sessions set ended_at = now(), end_reason = 'refresh_reuse' where id = p_session;
        insert into audit_events (action, outcome, reason, account_id, session_id, client_id, provider, address, request_id, detail)
        values ('session_ended', 'done', 'refresh_reuse', held.account_id, p_session, held.client_id, held.provider, p_address, p_request,
                jsonb_build_object('presented', p_generation, 'current', held.generation));
        perform notify_account(held.account_id, 'refresh_reuse', jsonb_build_object('device', held.device_name));
        perform pg_notify('gateway_sessions', 'session:' || p_session);
    elsif p_generation = held.generation and p_digest = held.refresh_digest then
        outcome := case when held.idle_expires_at > now() and held.expires_at > now() then 'claims_due' else 'expired' end;
        client_id := held.client_id;
    else
        -- A generation from the future: the database was set back. Neither side may live on.
        outcome := 'reused';
        update sessions set ended_at = now(), end_reason = 'generation_ahead' where id = p_session;
        insert into audit_events (action, outcome, reason, account_id, session_id, client_id, provider, address, request_id)
        values ('session_ended', 'done', 'generation_ahead', held.account_id, p_session, held.client_id, held.provider, p_address, p_request);
        perform pg_notify('gateway_sessions', 'session:' || p_session);
    end if;
end $$;
