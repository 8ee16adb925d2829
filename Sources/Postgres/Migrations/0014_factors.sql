-- Second factors, phones, user names, and the flow of a sign-in that takes more than one step.

alter table accounts
    add column mfa            boolean not null default false,   -- the person has a second factor: it is asked at every sign-in
    add column mfa_demanded   boolean not null default false,   -- an operator wants one
    add column password_state text not null default 'usable' check (password_state in ('usable', 'temporary', 'reset_required')),
    add column user_name      text,
    add column user_name_key  text unique,
    add column first_factor   text check (first_factor in ('password', 'email_otp', 'sms_otp', 'passkey')),   -- what the person would rather prove first
    add column attributes     jsonb not null default '{}';

-- The mailbox or number whose code set the password, as proofs name it: beside that one it is no second thing.
alter table passwords add column set_through text;

alter table clients
    add column mfa text not null default 'optional' check (mfa in ('optional', 'required'));

-- Telephone numbers, as account_emails are addresses. The key is the number in E.164 form.
create table account_phones (
    account_id uuid not null references accounts on delete cascade,
    phone_key  text not null check (phone_key ~ '^\+[1-9][0-9]{6,14}$'),
    source     text not null,
    proved_at  timestamptz,
    is_main    boolean not null default true,
    added_at   timestamptz not null default now(),
    primary key (account_id, phone_key)
);
create unique index account_phones_main on account_phones (account_id) where is_main;
create unique index account_phones_proved on account_phones (phone_key) where proved_at is not null;

-- What a person has confirmed as a second factor. A row exists from its confirmation on.
create table factors (
    id           uuid primary key,
    account_id   uuid not null references accounts on delete cascade,
    kind         text not null check (kind in ('totp', 'sms', 'email')),
    name         text check (char_length(name) between 1 and 100),
    address      text,                               -- the mailbox or number that codes go to
    address_key  text,
    sealed       bytea,                              -- a TOTP secret, sealed with the master key
    counter      bigint,                             -- the last TOTP time step that was used: no code works twice
    is_preferred boolean not null default false,
    added_at     timestamptz not null default now(),
    used_at      timestamptz,
    check ((kind = 'totp') = (sealed is not null) and (kind = 'totp') = (address_key is null))
);
create unique index factors_address on factors (account_id, kind, address_key) where address_key is not null;
create index factors_account on factors (account_id);
create unique index factors_preferred on factors (account_id) where is_preferred;

create table passkeys (
    id              uuid primary key,
    account_id      uuid not null references accounts on delete cascade,
    credential_id   bytea not null unique check (octet_length(credential_id) between 1 and 1023),
    user_handle     bytea not null,                  -- what the authenticator knows its person by
    public_key      bytea not null,                  -- COSE_Key (RFC 9052)
    algorithm       integer not null,
    counter         bigint not null,
    transports      text[] not null default '{}',
    aaguid          uuid,
    backup_eligible boolean not null,
    backed_up       boolean not null,
    attestation     text not null,                   -- the format, and how far it is trusted
    name            text check (char_length(name) between 1 and 100),
    is_preferred    boolean not null default false,
    added_at        timestamptz not null default now(),
    used_at         timestamptz
);
create index passkeys_account on passkeys (account_id);

create table recovery_codes (
    account_id uuid not null references accounts on delete cascade,
    digest     bytea not null,
    used_at    timestamptz,
    primary key (account_id, digest)
);

-- Devices on which a person does not want to be asked for the second factor for a while.
create table remembered_devices (
    id         uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    digest     bytea not null,
    name       text,
    added_at   timestamptz not null default now(),
    used_at    timestamptz,
    expires_at timestamptz not null,
    unique (account_id, digest)
);

alter table flows drop constraint flows_kind_check;
alter table flows add constraint flows_kind_check check (kind in ('sign_up', 'link_account', 'sign_in', 'factor', 'address', 'provider'));
create index flows_account on flows (account_id) where account_id is not null;
alter table flows add column revision integer not null default 0;   -- counts the steps: an answer is good for one

-- What was proved for a session and with what, so that a step-up never counts the same thing twice.
alter table sessions add column proofs jsonb;

-- The session itself, without asking whether more is due: for functions that have asked.
create function make_session(
    p session_request, p_account uuid, p_identity uuid, p_action text, p_reason text, p_detail jsonb, p_proofs jsonb)
returns void language plpgsql as $$
begin
    insert into sessions (id, account_id, client_id, identity_id, provider, auth_time, amr, acr, refresh_digest, proofs,
                          rotated_at, idle_seconds, idle_expires_at, expires_at, device_name, address, user_agent)
    values (p.id, p_account, p.client_id, p_identity, p.provider, p.auth_time, p.amr, p.acr, p.refresh_digest, p_proofs, now(),
            p.idle_seconds, now() + make_interval(secs => least(p.idle_seconds, p.max_seconds)),
            now() + make_interval(secs => p.max_seconds), p.device_name, p.address, p.user_agent);
    insert into audit_events (action, outcome, reason, account_id, identity_id, session_id, client_id, provider, address, request_id, detail)
    values (p_action, 'done', p_reason, p_account, p_identity, p.id, p.client_id, p.provider, p.address, p.request_id, p_detail);
end $$;

-- A server that knows nothing of second factors makes no session where one is due.
create or replace function start_session(p session_request, p_account uuid, p_identity uuid, p_action text, p_reason text, p_detail jsonb)
returns void language plpgsql as $$
begin
    if exists (select from accounts where id = p_account and (mfa or mfa_demanded or password_state <> 'usable'))
       or exists (select from clients where id = p.client_id and mfa = 'required')
    then
        raise exception 'a further step is due';
    end if;
    perform make_session(p, p_account, p_identity, p_action, p_reason, p_detail, null);
end $$;

-- Where wrong answers for an account are counted, whatever flow they belong to.
create function second_factor_bucket(p_account uuid) returns text language sql immutable as $$
    select encode(substr(sha256(('second factor ' || p_account)::bytea), 1, 16), 'hex');
$$;

-- The one way from a first factor on: a session, or, where the account or the client wants more, a flow with what was
-- proved (`p_gate`: the proofs, and whether the client demands a second factor). The flow has the id that the session would have had. Answers signed_in or next_step.
create function reach_session(
    p session_request, p_account uuid, p_identity uuid, p_action text, p_reason text, p_detail jsonb, p_link_flow uuid, p_gate jsonb)
returns text language plpgsql as $$
declare
    refused text;
begin
    if ((p_gate->>'demanded')::boolean and p.acr <> '2')
       or exists (select from accounts
                   where id = p_account and (((mfa or mfa_demanded) and p.acr <> '2') or (password_state <> 'usable' and p.provider = 'password')))
    then
        insert into flows (id, kind, client_id, account_id, state, expires_at)
        values (p.id, 'sign_in', p.client_id, p_account,
                p_gate - 'demanded' || jsonb_build_object('provider', p.provider, 'identity', p_identity, 'link_flow', p_link_flow,
                                                                    'guess_bucket', second_factor_bucket(p_account),
                                                                    'new_account', p_action = 'account_created'),
                now() + interval '10 minutes');
        insert into audit_events (action, outcome, reason, account_id, identity_id, client_id, provider, address, request_id, detail)
        values (case p_action when 'signed_in' then 'first_factor_proved' else p_action end, 'done', p_reason, p_account, p_identity,
                p.client_id, p.provider, p.address, p.request_id,
                coalesce(p_detail, '{}') || jsonb_build_object('flow', p.id));
        return 'next_step';
    end if;
    if p_link_flow is not null then
        refused := apply_link_flow(p_link_flow, p_account, p.client_id, p.id, p.request_id);
        if refused is not null then
            return refused;
        end if;
    end if;
    perform make_session(p, p_account, p_identity, p_action, p_reason, p_detail, p_gate->'proofs');
    return 'signed_in';
end $$;

-- As in 0009, with a gate.
create function sign_in(
    p_provider text, p_realm text, p_subject text, p_address_key text,
    p_spent bytea[], p_spent_until bigint[], p_token_client text, p_token_sealed bytea, p_link_flow uuid, p session_request, p_gate jsonb,
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
    if p_token_sealed is not null then
        perform store_provider_token(identity_id, p_token_client, p_token_sealed);
    end if;
    outcome := reach_session(p, account_id, identity_id, 'signed_in', 'known_identity', null, p_link_flow, p_gate);
end $$;

create function sign_in_new_account(
    p_account uuid, p_identity uuid, p_facts identity_facts, p_address text, p_address_key text, p_takes_address boolean,
    p_rule text, p_explain jsonb, p_spent bytea[], p_spent_until bigint[], p_token_client text, p_token_sealed bytea,
    p_flow uuid, p session_request, p_gate jsonb,
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
    outcome := reach_session(p, p_account, p_identity, 'account_created', p_rule, p_explain, null, p_gate);
end $$;

create function sign_in_linking(
    p_account uuid, p_identity uuid, p_facts identity_facts, p_address_key text, p_asking_session uuid, p_rule text, p_explain jsonb,
    p_spent bytea[], p_spent_until bigint[], p_token_client text, p_token_sealed bytea, p session_request, p_gate jsonb,
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
    outcome := reach_session(p, p_account, p_identity, 'identity_linked', p_rule, p_explain, null, p_gate);
end $$;

-- Whose a sign-in name is: an address or a number that was proved, or a user name.
create function account_by_name(p_kind text, p_key text) returns uuid language plpgsql stable as $$
begin
    case p_kind
    when 'email' then
        return (select account_id from account_emails where address_key = p_key and proved_at is not null and not is_relay);
    when 'phone' then
        return (select account_id from account_phones where phone_key = p_key and proved_at is not null);
    when 'user_name' then
        return (select id from accounts where user_name_key = p_key);
    else
        return null;
    end case;
end $$;

-- Pays for the attempt and finds the password of a name. Where no account has the name, a sign-up with it that waits for
-- its code is found instead: only its password opens it.
create function begin_password_sign_in(
    p_kind text, p_key text, p_buckets bytea[], p_bursts bigint[], p_periods bigint[],
    out wait double precision, out account_id uuid, out status text, out password_state text, out hash text, out sign_up uuid)
language plpgsql as $$
begin
    wait := take_from_throttles(p_buckets, p_bursts, p_periods);
    if wait > 0 then
        return;
    end if;
    select a.id, a.status, a.password_state, w.hash into account_id, status, password_state, hash
      from accounts a left join passwords w on w.account_id = a.id
     where a.id = account_by_name(p_kind, p_key);
    if account_id is null then
        select f.id, f.state->>'password_hash' into sign_up, hash from flows f
         where f.kind = 'sign_up' and f.address_key = p_key and f.expires_at > now() and f.code_digest is not null
         order by f.created_at desc limit 1;
    end if;
end $$;

create function finish_password_sign_in(
    p_account uuid, p_hash text, p_new_hash text, p_buckets bytea[], p_periods bigint[], p_link_flow uuid, p session_request, p_gate jsonb,
    out outcome text, out display_name text, out email text, out email_proved boolean, out account_created timestamptz)
language plpgsql as $$
begin
    select a.display_name, a.created_at, e.address, e.proved_at is not null into display_name, account_created, email, email_proved
      from accounts a
      join passwords w on w.account_id = a.id and w.hash = p_hash
      left join account_emails e on e.account_id = a.id and e.is_main
     where a.id = p_account and a.status = 'active' for key share of a;
    if not found then
        outcome := 'changed';
        return;
    end if;
    if p_new_hash is not null then
        update passwords set hash = p_new_hash where account_id = p_account and hash = p_hash;
    end if;
    perform give_back_to_throttles(p_buckets, p_periods);
    outcome := reach_session(p, p_account, null, 'signed_in', 'password', null, p_link_flow, p_gate);
end $$;

-- The account that a sign-up asks for; the address or number whose key is `p_proved_key` has been proved (null: none).
-- Answers null, or `user_name_taken`.
create function add_signed_up_account(p_account uuid, p_state jsonb, p_proved_key text, p_client text, p_request text) returns text
language plpgsql as $$
declare
    email text := coalesce(p_state->>'email', p_state->>'address');
    email_key text := coalesce(p_state->>'email_key', case when p_state ? 'address' then p_proved_key end);
begin
    insert into accounts (id, display_name, user_name, user_name_key, attributes)
    values (p_account, p_state->>'display_name', p_state->>'user_name', p_state->>'user_name_key', coalesce(p_state->'attributes', '{}'))
    on conflict (user_name_key) do nothing;
    if not found then
        return 'user_name_taken';
    end if;
    if email is not null then
        if email_key = p_proved_key then
            perform clear_unproved_claims(email_key, p_account, p_client, p_request);
        end if;
        insert into account_emails (account_id, address_key, address, source, proved_at)
        values (p_account, email_key, email, 'person', case when email_key = p_proved_key then now() end);
    end if;
    if p_state->>'phone' is not null then
        if p_state->>'phone' = p_proved_key then
            delete from flows where address_key = p_proved_key;
            delete from account_phones where phone_key = p_proved_key and proved_at is null;
        end if;
        insert into account_phones (account_id, phone_key, source, proved_at)
        values (p_account, p_state->>'phone', 'person', case when p_state->>'phone' = p_proved_key then now() end);
    end if;
    if p_state->>'password_hash' is not null then
        insert into passwords (account_id, hash) values (p_account, p_state->>'password_hash');
    end if;
    return null;
end $$;

create function confirm_sign_up(
    p_flow uuid, p_code_digest bytea, p_most_tries integer, p_account uuid, p session_request, p_gate jsonb,
    out outcome text, out tries_left integer, out wait double precision, out display_name text, out email text, out account_created timestamptz)
language plpgsql as $$
declare
    flow record;
    taken boolean;
begin
    perform pg_advisory_xact_lock(hashtextextended(f.address_key, 2)) from flows f where f.id = p_flow and f.kind = 'sign_up';
    select f.* into flow from flows f
     where f.id = p_flow and f.kind = 'sign_up' and f.client_id = (p).client_id and f.expires_at > now() for update;
    if not found then
        outcome := 'flow_expired';
        return;
    end if;
    wait := take_from_throttles(array[decode(flow.state->>'guess_bucket', 'hex')], array[20::bigint], array[180000::bigint]);
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    if flow.tries >= p_most_tries then
        outcome := 'too_many_tries';
        return;
    end if;
    taken := account_by_name('email', flow.address_key) is not null or account_by_name('phone', flow.address_key) is not null;
    if flow.code_digest is distinct from p_code_digest or taken then
        update flows f set tries = f.tries + 1 where f.id = p_flow;
        tries_left := p_most_tries - flow.tries - 1;
        outcome := case when tries_left > 0 then 'code_wrong' else 'too_many_tries' end;
        return;
    end if;
    account_created := now();
    display_name := flow.state->>'display_name';
    email := coalesce(flow.state->>'email', flow.state->>'address');
    outcome := add_signed_up_account(p_account, flow.state, flow.address_key, (p).client_id, (p).request_id);
    if outcome is not null then
        return;
    end if;
    outcome := reach_session(p, p_account, null, 'account_created', 'sign_up', null, null, p_gate);
end $$;
