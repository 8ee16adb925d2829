-- Further addresses and numbers of an account, and which of them it is known by.

-- Whether an account can still be opened: `p_providers` are the ways in that can be used today. An address counts when a
-- code of ours, or an operator, has proved it: what a provider said of it does not show that mail reaches the person.
create function has_way_in(p_account uuid, p_providers text[]) returns boolean language sql stable as $$
    select exists (select from identities where account_id = p_account and provider = any (p_providers))
        or ('passkey' = any (p_providers) and exists (select from passkeys where account_id = p_account))
        or ('email_otp' = any (p_providers)
            and exists (select from account_emails where account_id = p_account and proved_at is not null and not is_relay
                                                     and source in ('person', 'operator', 'import')))
        or ('sms_otp' = any (p_providers) and exists (select from account_phones where account_id = p_account and proved_at is not null))
        or ('password' = any (p_providers) and exists (select from passwords where account_id = p_account)
            and (exists (select from account_emails where account_id = p_account and proved_at is not null and not is_relay)
                 or exists (select from account_phones where account_id = p_account and proved_at is not null)
                 or exists (select from accounts where id = p_account and user_name is not null)));
$$;

-- Takes the place of the function of 0009: a passkey, a proved address or number is a way in too.
create or replace function unlink_identity(p_account uuid, p_identity uuid, p_session uuid, p_providers text[], p_client text, p_address text, p_request text)
returns text language plpgsql as $$
declare
    gone record;
begin
    perform 1 from accounts where id = p_account for update;
    select * into gone from identities where id = p_identity and account_id = p_account;
    if not found then
        return 'not_found';
    end if;
    update sessions set ended_at = now(), end_reason = 'identity_unlinked'
     where account_id = p_account and identity_id = p_identity and ended_at is null and id <> p_session;
    delete from identities where id = p_identity;
    if not has_way_in(p_account, p_providers) then
        raise exception 'last credential' using errcode = 'LG001';
    end if;
    delete from flows where account_id = p_account;
    insert into audit_events (action, outcome, account_id, identity_id, session_id, client_id, provider, address, request_id)
    values ('identity_unlinked', 'done', p_account, p_identity, p_session, p_client, gone.provider, p_address, p_request);
    perform notify_account(p_account, 'identity_unlinked', jsonb_build_object('provider', gone.provider));
    perform pg_notify('gateway_sessions', 'account:' || p_account);
    return 'unlinked';
exception when sqlstate 'LG001' then
    return 'last_credential';   -- what was done above is undone
end $$;

-- A change of an address that waits for its code dies with every other change of how the account is opened: whoever
-- began it may not be who has the account then. Whether mail gets to an address is no such change.
create function forget_address_changes() returns trigger language plpgsql as $$
begin
    delete from flows where kind = 'address' and account_id = coalesce(new.account_id, old.account_id);
    return null;
end $$;
create trigger identities_end_address_changes after insert or delete on identities for each row execute function forget_address_changes();
create trigger emails_end_address_changes
    after insert or delete or update of account_id, address_key, address, source, proved_at, is_relay, is_main on account_emails
    for each row execute function forget_address_changes();

-- Begins to add an address or number. Outcomes: opened, wait, and those of may_change_factors.
create function begin_address_flow(
    p_flow uuid, p_account uuid, p_session uuid, p_client text, p_state jsonb, p_code_digest bytea, p_resend_seconds integer,
    p_message outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[], p_address text, p_request text,
    out outcome text, out wait double precision)
language plpgsql as $$
begin
    outcome := may_change_factors(p_account, p_session);
    if outcome is not null then
        return;
    end if;
    wait := send_message(p_message, p_buckets, p_bursts, p_periods, p_account);
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    delete from flows where kind = 'address' and account_id = p_account;
    insert into flows (id, kind, client_id, account_id, state, code_digest, resend_after, expires_at)
    values (p_flow, 'address', p_client, p_account, p_state || jsonb_build_object('guess_bucket', second_factor_bucket(p_account)),
            p_code_digest, now() + make_interval(secs => p_resend_seconds), now() + interval '10 minutes');
    insert into audit_events (action, outcome, account_id, session_id, client_id, address, request_id, detail)
    values ('address_change_started', 'done', p_account, p_session, p_client, p_address, p_request, jsonb_build_object('flow', p_flow));
    outcome := 'opened';
end $$;

-- The code came back: the address is the account's, proved. Outcomes: added, address_in_use, and those of
-- judge_flow_answer and may_change_factors.
create function confirm_address(
    p_flow uuid, p_revision integer, p_code_digest bytea, p_most_tries integer, p_kind text, p_text text, p_key text,
    p_account uuid, p_session uuid, p_client text, p_address text, p_request text,
    out outcome text, out tries_left integer, out wait double precision)
language plpgsql as $$
declare
    flow record;
    owner uuid;
begin
    outcome := may_change_factors(p_account, p_session);
    if outcome is not null then
        return;
    end if;
    perform pg_advisory_xact_lock(hashtextextended(p_key, 2));
    select j.* into flow from judge_flow_answer(p_flow, 'address', p_client, p_revision, null, p_code_digest, p_most_tries) j;
    outcome := case when flow.outcome is null and flow.account_id <> p_account then 'flow_expired' else flow.outcome end;
    tries_left := flow.tries_left;
    wait := flow.wait;
    if outcome is not null then
        return;
    end if;
    owner := account_by_name(p_kind, p_key);
    if owner is not null and owner <> p_account then
        outcome := 'address_in_use';
        return;
    end if;
    if p_kind = 'email' then
        perform clear_unproved_claims(p_key, p_account, p_client, p_request);
        insert into account_emails (account_id, address_key, address, source, proved_at, is_main)
        values (p_account, p_key, p_text, 'person', now(), not exists (select from account_emails where account_id = p_account and is_main))
        on conflict (account_id, address_key) do update set proved_at = now(), address = excluded.address, is_relay = false, undeliverable_since = null;
    else
        delete from account_phones where phone_key = p_key and proved_at is null and account_id <> p_account;
        insert into account_phones (account_id, phone_key, source, proved_at, is_main)
        values (p_account, p_key, 'person', now(), not exists (select from account_phones where account_id = p_account and is_main))
        on conflict (account_id, phone_key) do update set proved_at = now(), undeliverable_since = null;
    end if;
    delete from flows where id = p_flow;
    insert into audit_events (action, outcome, reason, account_id, session_id, client_id, address, request_id)
    values ('address_added', 'done', p_kind, p_account, p_session, p_client, p_address, p_request);
    perform notify_account(p_account, 'address_added', jsonb_build_object('kind', p_kind));
    perform pg_notify('gateway_sessions', 'account:' || p_account);
    outcome := 'added';
end $$;

-- Takes an address or number away. Every other session ends. Outcomes: removed, not_found, last_credential, and those of
-- may_change_factors.
create function remove_address(
    p_account uuid, p_kind text, p_key text, p_providers text[], p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
declare
    refused text := may_change_factors(p_account, p_session);
begin
    if refused is not null then
        return refused;
    end if;
    perform notify_account(p_account, 'address_removed', jsonb_build_object('kind', p_kind));
    if p_kind = 'email' then
        delete from account_emails where account_id = p_account and address_key = p_key;
    else
        delete from account_phones where account_id = p_account and phone_key = p_key;
    end if;
    if not found then
        raise exception 'not found' using errcode = 'LG002';
    end if;
    if not has_way_in(p_account, p_providers) then
        raise exception 'last credential' using errcode = 'LG001';
    end if;
    update account_emails set is_main = true
     where (account_id, address_key) = (select account_id, address_key from account_emails where account_id = p_account
                                         order by proved_at is null, is_relay, added_at limit 1)
       and not exists (select from account_emails where account_id = p_account and is_main);
    update account_phones set is_main = true
     where (account_id, phone_key) = (select account_id, phone_key from account_phones where account_id = p_account
                                       order by proved_at is null, added_at limit 1)
       and not exists (select from account_phones where account_id = p_account and is_main);
    delete from flows where account_id = p_account;
    insert into audit_events (action, outcome, reason, account_id, session_id, client_id, address, request_id)
    values ('address_removed', 'done', p_kind, p_account, p_session, p_client, p_address, p_request);
    perform end_account_sessions(p_account, 'address_changed', p_session);
    return 'removed';
exception
    when sqlstate 'LG001' then return 'last_credential';
    when sqlstate 'LG002' then return 'not_found';
end $$;

-- The address or number that the account shows as its own; it has been proved. Outcomes: changed, not_found, and those
-- of may_change_factors.
create function prefer_address(p_account uuid, p_kind text, p_key text, p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
declare
    refused text := may_change_factors(p_account, p_session);
begin
    if refused is not null then
        return refused;
    end if;
    if p_kind = 'email' then
        if not exists (select from account_emails where account_id = p_account and address_key = p_key and proved_at is not null) then
            return 'not_found';
        end if;
        update account_emails set is_main = false where account_id = p_account and is_main and address_key <> p_key;
        update account_emails set is_main = true where account_id = p_account and address_key = p_key;
    else
        if not exists (select from account_phones where account_id = p_account and phone_key = p_key and proved_at is not null) then
            return 'not_found';
        end if;
        update account_phones set is_main = false where account_id = p_account and is_main and phone_key <> p_key;
        update account_phones set is_main = true where account_id = p_account and phone_key = p_key;
    end if;
    insert into audit_events (action, outcome, reason, account_id, session_id, client_id, address, request_id)
    values ('main_address_changed', 'done', p_kind, p_account, p_session, p_client, p_address, p_request);
    perform notify_account(p_account, 'address_added', jsonb_build_object('kind', p_kind));
    perform end_account_sessions(p_account, 'address_changed', p_session);
    return 'changed';
end $$;

-- By an operator's hand: a password that is good for one sign-in, a reset that is due, or a second factor that is
-- demanded. Outcomes: done, not_found.
create function set_password_state(p_account uuid, p_state text, p_hash text, p_request text) returns text language plpgsql as $$
begin
    perform 1 from accounts where id = p_account and status = 'active' for no key update;
    if not found then
        return 'not_found';
    end if;
    if p_hash is not null then
        insert into passwords (account_id, hash) values (p_account, p_hash)
        on conflict (account_id) do update set hash = excluded.hash, set_at = now(), set_through = null;
    end if;
    update accounts set password_state = p_state, changed_at = now() where id = p_account;
    delete from flows where account_id = p_account;
    delete from remembered_devices where account_id = p_account;
    perform end_account_sessions(p_account, 'password_' || p_state, null);
    insert into audit_events (action, outcome, reason, account_id, request_id)
    values ('password_set', 'done', 'operator_' || p_state, p_account, p_request);
    perform notify_account(p_account, 'password_changed', jsonb_build_object('reason', 'operator'));
    return 'done';
end $$;

create function demand_second_factor(p_account uuid, p_demanded boolean, p_request text) returns text language plpgsql as $$
begin
    update accounts set mfa_demanded = p_demanded, changed_at = now() where id = p_account and status = 'active';
    if not found then
        return 'not_found';
    end if;
    insert into audit_events (action, outcome, reason, account_id, request_id)
    values ('second_factor_demanded', 'done', case when p_demanded then 'demanded' else 'no_longer' end, p_account, p_request);
    return 'done';
end $$;
