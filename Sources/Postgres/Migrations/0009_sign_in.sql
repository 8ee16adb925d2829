-- Signing in with a provider's credential: one statement for a known identity, two where an account is made or joined.
-- The deciding is done by the caller (LinkingPolicy); these functions check that the facts it decided on still stand,
-- spend what is good once, change, and write the audit row, all in one transaction.

-- What every way in asks for: the session to make. Times to live in seconds.
create type session_request as (
    id             uuid,
    client_id      text,
    provider       text,
    refresh_digest bytea,
    auth_time      timestamptz,
    amr            text[],
    acr            text,
    idle_seconds   integer,
    max_seconds    integer,
    device_name    text,
    address        text,
    user_agent     text,
    request_id     text
);

-- What a provider said about somebody, verified.
create type identity_facts as (
    provider       text,
    realm          text,
    subject        text,
    email          text,
    email_verified boolean,
    email_is_relay boolean,
    display_name   text
);

-- Spends each digest once, to be remembered until a moment in Unix seconds; answers 0, or the position of the first one that was spent before.
create function spend(p_digests bytea[], p_until bigint[]) returns integer language plpgsql as $$
begin
    for i in 1 .. coalesce(array_length(p_digests, 1), 0) loop
        insert into spent (digest, expires_at) values (p_digests[i], to_timestamp(p_until[i])) on conflict (digest) do nothing;
        if not found then
            return i;
        end if;
    end loop;
    return 0;
end $$;

create function start_session(p session_request, p_account uuid, p_identity uuid, p_action text, p_reason text, p_detail jsonb)
returns void language plpgsql as $$
begin
    insert into sessions (id, account_id, client_id, identity_id, provider, auth_time, amr, acr, refresh_digest,
                          rotated_at, idle_seconds, idle_expires_at, expires_at, device_name, address, user_agent)
    values (p.id, p_account, p.client_id, p_identity, p.provider, p.auth_time, p.amr, p.acr, p.refresh_digest, now(),
            p.idle_seconds, now() + make_interval(secs => least(p.idle_seconds, p.max_seconds)),
            now() + make_interval(secs => p.max_seconds), p.device_name, p.address, p.user_agent);
    insert into audit_events (action, outcome, reason, account_id, identity_id, session_id, client_id, provider, address, request_id, detail)
    values (p_action, 'done', p_reason, p_account, p_identity, p.id, p.client_id, p.provider, p.address, p.request_id, p_detail);
end $$;

-- Ends what an account has open; every server hears of it when the transaction commits.
create function end_account_sessions(p_account uuid, p_reason text, p_except uuid) returns integer language plpgsql as $$
declare
    ended integer;
begin
    update sessions set ended_at = now(), end_reason = p_reason
     where account_id = p_account and ended_at is null and id is distinct from p_except;
    get diagnostics ended = row_count;
    perform pg_notify('gateway_sessions', 'account:' || p_account);
    return ended;
end $$;

-- Tells every proved address of an account.
create function notify_account(p_account uuid, p_kind text, p_detail jsonb) returns void language sql as $$
    insert into notices (account_id, address, kind, detail)
    select account_id, address, p_kind, p_detail from account_emails where account_id = p_account and proved_at is not null;
$$;

-- A proof of an address ends every unproved claim on it: the claimants lose the address, their open sessions, a password
-- that hung on it and the pending flows about it. An account that is left without a way in is closed.
create function clear_unproved_claims(p_address_key text, p_winner uuid, p_client text, p_request text) returns integer
language plpgsql as $$
declare
    claim record;
    cleared integer := 0;
begin
    delete from flows where address_key = p_address_key;
    for claim in
        delete from account_emails
         where address_key = p_address_key and proved_at is null and account_id <> p_winner
        returning account_id
    loop
        cleared := cleared + 1;
        delete from passwords where account_id = claim.account_id;
        delete from flows where account_id = claim.account_id;
        update accounts set status = 'closed', changed_at = now()
         where id = claim.account_id and not exists (select from identities i where i.account_id = claim.account_id);
        perform end_account_sessions(claim.account_id, 'address_claim_lost', null);
        insert into audit_events (action, outcome, reason, account_id, client_id, request_id, detail)
        values ('address_claim_cleared', 'done', 'proved_by_another_account', claim.account_id, p_client, p_request,
                jsonb_build_object('winner', p_winner));
    end loop;
    return cleared;
end $$;

-- Adds an identity to an account. Answers when, or null where the identity is somebody's already.
create function add_identity(p_identity uuid, p_account uuid, p_facts identity_facts, p_rule text) returns timestamptz
language sql as $$
    insert into identities (id, account_id, provider, realm, subject, email, email_verified, email_is_relay, display_name, linked_by)
    values (p_identity, p_account, p_facts.provider, p_facts.realm, p_facts.subject, p_facts.email, p_facts.email_verified,
            p_facts.email_is_relay, p_facts.display_name, p_rule)
    on conflict on constraint identities_subject do nothing
    returning linked_at;
$$;

-- Whoever is about to change whose an identity is holds this until the transaction ends.
create function lock_identity(p_provider text, p_realm text, p_subject text) returns void language sql as $$
    select pg_advisory_xact_lock(hashtextextended(concat_ws(chr(1), p_provider, p_realm, p_subject), 1));
$$;

-- Joins the identity that waits in a link flow to the account that was just proved. Answers null, or why not.
create function apply_link_flow(p_flow uuid, p_account uuid, p_client text, p_session uuid, p_request text) returns text
language plpgsql as $$
declare
    flow record;
    facts identity_facts;
    owner uuid;
begin
    select f.account_id, f.state into flow from flows f
     where f.id = p_flow and f.kind = 'link_account' and f.client_id = p_client and f.expires_at > now() for update;
    if not found then
        return 'flow_expired';
    end if;
    if flow.account_id <> p_account then
        return 'link_subject_changed';
    end if;
    facts := jsonb_populate_record(null::identity_facts, flow.state);
    perform lock_identity(facts.provider, facts.realm, facts.subject);
    if add_identity((flow.state->>'identity')::uuid, p_account, facts, 'proved_both') is null then
        select account_id into owner from identities
         where provider = facts.provider and realm = facts.realm and subject = facts.subject;
        if owner is distinct from p_account then
            return 'identity_in_use';
        end if;
    else
        insert into provider_tokens (identity_id, client_id, kind, sealed)
        select (flow.state->>'identity')::uuid, token->>'client_id', 'refresh', decode(token->>'sealed', 'base64')
          from jsonb_array_elements(coalesce(flow.state->'tokens', '[]')) token;
        insert into audit_events (action, outcome, reason, account_id, identity_id, session_id, client_id, provider, request_id)
        values ('identity_linked', 'done', 'proved_both', p_account, (flow.state->>'identity')::uuid, p_session, p_client,
                facts.provider, p_request);
        perform notify_account(p_account, 'identity_linked', jsonb_build_object('provider', facts.provider));
    end if;
    delete from flows where id = p_flow;
    return null;
end $$;

create function store_provider_token(p_identity uuid, p_client text, p_sealed bytea) returns void language sql as $$
    insert into provider_tokens (identity_id, client_id, kind, sealed) values (p_identity, p_client, 'refresh', p_sealed)
    on conflict (identity_id, client_id, kind) do update set sealed = excluded.sealed, stored_at = now();
$$;

-- The hot path. A known identity of an active account is signed in; of an unknown one it changes nothing and answers
-- who else has the address: outcome signed_in, unknown_identity, account_disabled, spent (with the position), or what
-- apply_link_flow refused with.
create function sign_in(
    p_provider text, p_realm text, p_subject text, p_address_key text,
    p_spent bytea[], p_spent_until bigint[], p_token_client text, p_token_sealed bytea, p_link_flow uuid, p session_request,
    out outcome text, out spent_position integer, out account_id uuid, out identity_id uuid, out display_name text,
    out email text, out email_proved boolean, out account_created timestamptz, out holders jsonb)
language plpgsql as $$
declare
    account_status text;
begin
    select i.account_id, i.id, a.status, a.display_name, a.created_at, e.address, e.proved_at is not null
      into account_id, identity_id, account_status, display_name, account_created, email, email_proved
      from identities i
      join accounts a on a.id = i.account_id
      left join account_emails e on e.account_id = a.id and e.is_main
     where i.provider = p_provider and i.realm = p_realm and i.subject = p_subject
       for key share of a;   -- with the lock that disabling takes, no session outlives it
    if not found then
        outcome := 'unknown_identity';
        select jsonb_agg(jsonb_build_object('account', h.account_id, 'proved', h.proved_at is not null, 'status', ha.status))
          into holders
          from (select * from account_emails c where c.address_key = p_address_key and not c.is_relay
                 order by c.proved_at nulls last limit 20) h
          join accounts ha on ha.id = h.account_id;
        return;
    end if;
    if account_status <> 'active' then
        outcome := 'account_disabled';
        return;
    end if;
    spent_position := spend(p_spent, p_spent_until);
    if spent_position > 0 then
        outcome := 'spent';
        return;
    end if;
    if p_link_flow is not null then
        outcome := apply_link_flow(p_link_flow, account_id, (p).client_id, (p).id, (p).request_id);
        if outcome is not null then
            return;
        end if;
    end if;
    if p_token_sealed is not null then
        perform store_provider_token(identity_id, p_token_client, p_token_sealed);
    end if;
    perform start_session(p, account_id, identity_id, 'signed_in', 'known_identity', null);
    outcome := 'signed_in';
end $$;

-- A new account for a new identity. `p_takes_address` says that the address is proved and clears every unproved claim
-- on it. Outcomes: signed_in, facts_changed (decide again), spent, flow_expired.
create function sign_in_new_account(
    p_account uuid, p_identity uuid, p_facts identity_facts, p_address text, p_address_key text, p_takes_address boolean,
    p_rule text, p_explain jsonb, p_spent bytea[], p_spent_until bigint[], p_token_client text, p_token_sealed bytea,
    p_flow uuid, p session_request,
    out outcome text, out spent_position integer, out account_created timestamptz)
language plpgsql as $$
begin
    perform lock_identity(p_facts.provider, p_facts.realm, p_facts.subject);
    if p_address_key is not null then
        perform pg_advisory_xact_lock(hashtextextended(p_address_key, 2));
    end if;
    if exists (select from identities i
                where i.provider = p_facts.provider and i.realm = p_facts.realm and i.subject = p_facts.subject)
       or (p_address_key is not null and not p_facts.email_is_relay
           and exists (select from account_emails e
                        where e.address_key = p_address_key and (e.proved_at is not null or not p_takes_address)
                          and not e.is_relay))
    then
        outcome := 'facts_changed';
        return;
    end if;
    if p_flow is not null then
        delete from flows f where f.id = p_flow and f.expires_at > now();
        if not found then
            outcome := 'flow_expired';
            return;
        end if;
    end if;
    spent_position := spend(p_spent, p_spent_until);
    if spent_position > 0 then
        outcome := 'spent';
        return;
    end if;
    account_created := now();
    insert into accounts (id, display_name, created_at) values (p_account, p_facts.display_name, account_created);
    perform add_identity(p_identity, p_account, p_facts, p_rule);
    if p_address_key is not null then
        if p_takes_address then
            perform clear_unproved_claims(p_address_key, p_account, (p).client_id, (p).request_id);
        end if;
        insert into account_emails (account_id, address_key, address, source, proved_at, is_relay)
        values (p_account, p_address_key, p_address, p_facts.provider, case when p_takes_address then now() end,
                p_facts.email_is_relay);
    end if;
    if p_token_sealed is not null then
        perform store_provider_token(p_identity, p_token_client, p_token_sealed);
    end if;
    perform start_session(p, p_account, p_identity, 'account_created', p_rule, p_explain);
    outcome := 'signed_in';
end $$;

-- Joins a new identity to an account, and signs in to it. The account has proved the same address, or `p_asking_session`
-- is a live session of it. Outcomes: signed_in, facts_changed (decide again), session_ended, spent.
create function sign_in_linking(
    p_account uuid, p_identity uuid, p_facts identity_facts, p_address_key text, p_asking_session uuid, p_rule text, p_explain jsonb,
    p_spent bytea[], p_spent_until bigint[], p_token_client text, p_token_sealed bytea, p session_request,
    out outcome text, out spent_position integer, out display_name text, out email text, out email_proved boolean,
    out account_created timestamptz)
language plpgsql as $$
begin
    perform lock_identity(p_facts.provider, p_facts.realm, p_facts.subject);
    if exists (select from identities i
                where i.provider = p_facts.provider and i.realm = p_facts.realm and i.subject = p_facts.subject)
    then
        outcome := 'facts_changed';
        return;
    end if;
    if p_asking_session is null then
        outcome := 'facts_changed';
        select a.display_name, a.created_at, e.address, true into display_name, account_created, email, email_proved
          from accounts a
          join account_emails e on e.account_id = a.id and e.address_key = p_address_key and e.proved_at is not null
         where a.id = p_account and a.status = 'active' for key share of a;
    else
        outcome := 'session_ended';
        select a.display_name, a.created_at, e.address, e.proved_at is not null
          into display_name, account_created, email, email_proved
          from accounts a
          join sessions s on s.account_id = a.id and s.id = p_asking_session and s.ended_at is null and s.expires_at > now()
          left join account_emails e on e.account_id = a.id and e.is_main
         where a.id = p_account and a.status = 'active' for key share of a;
    end if;
    if not found then
        return;
    end if;
    spent_position := spend(p_spent, p_spent_until);
    if spent_position > 0 then
        outcome := 'spent';
        return;
    end if;
    perform add_identity(p_identity, p_account, p_facts, p_rule);
    if p_token_sealed is not null then
        perform store_provider_token(p_identity, p_token_client, p_token_sealed);
    end if;
    perform notify_account(p_account, 'identity_linked', jsonb_build_object('provider', p_facts.provider));
    perform start_session(p, p_account, p_identity, 'identity_linked', p_rule, p_explain);
    outcome := 'signed_in';
end $$;

-- Keeps a verified identity until the person has proved the account that has its address, or declined. Outcomes: asked,
-- facts_changed (decide again), spent. Without the check somebody whose first sign-in is sent twice at once would be
-- asked to prove the account that the other one has just made.
create function open_link_flow(
    p_flow uuid, p_client text, p_account uuid, p_address_key text, p_state jsonb, p_seconds integer, p_explain jsonb,
    p_spent bytea[], p_spent_until bigint[], p_address text, p_request text,
    out outcome text, out spent_position integer)
language plpgsql as $$
begin
    perform lock_identity(p_state->>'provider', p_state->>'realm', p_state->>'subject');
    if exists (select from identities
                where provider = p_state->>'provider' and realm = p_state->>'realm' and subject = p_state->>'subject')
       or not exists (select from account_emails e join accounts a on a.id = e.account_id
                       where e.account_id = p_account and e.address_key = p_address_key and not e.is_relay
                         and a.status = 'active')
    then
        outcome := 'facts_changed';
        return;
    end if;
    spent_position := spend(p_spent, p_spent_until);
    if spent_position > 0 then
        outcome := 'spent';
        return;
    end if;
    insert into flows (id, kind, client_id, account_id, state, expires_at)
    values (p_flow, 'link_account', p_client, p_account, p_state, now() + make_interval(secs => p_seconds));
    insert into audit_events (action, outcome, reason, account_id, client_id, provider, address, request_id, detail)
    values ('link_asked', 'done', p_explain->>'rule', p_account, p_client, p_state->>'provider', p_address, p_request, p_explain);
    outcome := 'asked';
end $$;

-- Links an identity to the account of a live, recently proved session. Outcomes: linked, already_linked,
-- identity_in_use, session_ended, spent.
create function link_identity(
    p_account uuid, p_session uuid, p_identity uuid, p_facts identity_facts, p_explain jsonb,
    p_spent bytea[], p_spent_until bigint[], p_token_client text, p_token_sealed bytea, p_client text, p_address text, p_request text,
    out outcome text, out spent_position integer, out identity_id uuid, out linked_at timestamptz)
language plpgsql as $$
declare
    owner uuid;
begin
    perform lock_identity(p_facts.provider, p_facts.realm, p_facts.subject);
    perform 1 from accounts a join sessions s on s.account_id = a.id
     where a.id = p_account and a.status = 'active' and s.id = p_session and s.ended_at is null and s.expires_at > now()
       for key share of a;
    if not found then
        outcome := 'session_ended';
        return;
    end if;
    spent_position := spend(p_spent, p_spent_until);
    if spent_position > 0 then
        outcome := 'spent';
        return;
    end if;
    identity_id := p_identity;
    linked_at := add_identity(p_identity, p_account, p_facts, 'linked_in_session');
    if linked_at is null then
        select i.account_id, i.id, i.linked_at into owner, identity_id, linked_at from identities i
         where i.provider = p_facts.provider and i.realm = p_facts.realm and i.subject = p_facts.subject;
        outcome := case when owner = p_account then 'already_linked' else 'identity_in_use' end;
        return;
    end if;
    if p_token_sealed is not null then
        perform store_provider_token(identity_id, p_token_client, p_token_sealed);
    end if;
    insert into audit_events (action, outcome, reason, account_id, identity_id, session_id, client_id, provider, address, request_id, detail)
    values ('identity_linked', 'done', 'linked_in_session', p_account, identity_id, p_session, p_client, p_facts.provider,
            p_address, p_request, p_explain);
    perform notify_account(p_account, 'identity_linked', jsonb_build_object('provider', p_facts.provider));
    outcome := 'linked';
end $$;

-- Unlinks, unless it is the last usable way in: `p_providers` are those that can be used today. Sessions that began
-- with the identity end, except the one that asks.
create function unlink_identity(p_account uuid, p_identity uuid, p_session uuid, p_providers text[], p_client text, p_address text, p_request text)
returns text language plpgsql as $$
declare
    gone record;
begin
    perform 1 from accounts where id = p_account for update;
    select provider into gone from identities where id = p_identity and account_id = p_account;
    if not found then
        return 'not_found';
    end if;
    if not exists (select from identities where account_id = p_account and id <> p_identity and provider = any (p_providers))
       and not exists (select from passwords w join account_emails e on e.account_id = w.account_id and e.proved_at is not null
                        where w.account_id = p_account)
    then
        return 'last_credential';
    end if;
    update sessions set ended_at = now(), end_reason = 'identity_unlinked'
     where account_id = p_account and identity_id = p_identity and ended_at is null and id <> p_session;
    delete from identities where id = p_identity;
    delete from flows where account_id = p_account;
    insert into audit_events (action, outcome, account_id, identity_id, session_id, client_id, provider, address, request_id)
    values ('identity_unlinked', 'done', p_account, p_identity, p_session, p_client, gone.provider, p_address, p_request);
    perform notify_account(p_account, 'identity_unlinked', jsonb_build_object('provider', gone.provider));
    perform pg_notify('gateway_sessions', 'account:' || p_account);
    return 'unlinked';
end $$;
