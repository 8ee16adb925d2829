-- Adds an address or number to an account after its code was confirmed. An address that a provider reported becomes the
-- user's own. One that someone else put in keeps its mark: the code shows control of it, not who the user is. A
-- guest goes on with the session `p`.
-- Locks: advisory address, accounts (for update), *lock_sessions, *may_change_account, *judge_flow_answer,
-- *clear_unproved_claims, account_emails, *forget_address_changes, *end_guest, *clear_unproved_numbers, account_phones,
-- flows, *renew_guest_session. The account and those that lose the address are locked by id, in one statement.
-- Outcomes: flow_expired, address_in_use, added, *may_change_account, *judge_flow_answer
-- Invariant: a single-use value is used once.
create or replace function confirm_address_code(
    p_flow uuid, p_revision integer, p_code_digest bytea, p_limits flow_limits, p_kind text, p_text text, p_key text,
    p_account uuid, p_session uuid, p_recent_seconds integer, p_client text, p_address text, p_request text,
    p session_request, p_gate jsonb, out outcome text, out tries_left integer, out wait double precision, out renewed boolean)
language plpgsql as $$
declare
    flow record;
    owner uuid;
    was_guest boolean;
begin
    perform pg_advisory_xact_lock(hashtextextended(p_key, 2));
    perform 1 from accounts
      where id in (select p_account
                   union all select account_id from account_emails where address_key = p_key and proved_at is null
                   union all select account_id from account_phones where phone_key = p_key and proved_at is null)
      order by id for update;
    perform lock_sessions(array(select account_id from account_emails where address_key = p_key and proved_at is null));
    outcome := may_change_account(p_account, p_session, p_recent_seconds);
    if outcome is not null then
        return;
    end if;
    select j.* into flow from judge_flow_answer(p_flow, 'address', p_client, p_revision, null, p_code_digest, p_limits, null, p_address) j;
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
    select a.guest into was_guest from accounts a where a.id = p_account;
    if p_kind = 'email' then
        perform clear_unproved_claims(p_key, p_account, p_client, p_request);
        insert into account_emails as e (account_id, address_key, address, source, proved_at, added_by, is_main, joined_by)
        values (p_account, p_key, p_text, 'person', now(), p_session,
                not exists (select from account_emails where account_id = p_account and is_main), mark_beside(p_account))
        on conflict (account_id, address_key) do update
           set added_by = case when e.proved_at is null then excluded.added_by else e.added_by end,
               proved_at = coalesce(e.proved_at, now()), address = excluded.address, is_relay = false, undeliverable_since = null,
               source = case when is_put_in(e.source) then e.source else excluded.source end,
               joined_by = coalesce(e.joined_by, excluded.joined_by);
    else
        perform clear_unproved_numbers(p_key, p_account, p_client, p_request);
        insert into account_phones as e (account_id, phone_key, source, proved_at, added_by, is_main, joined_by)
        values (p_account, p_key, 'person', now(), p_session,
                not exists (select from account_phones where account_id = p_account and is_main), mark_beside(p_account))
        on conflict (account_id, phone_key) do update
           set added_by = case when e.proved_at is null then excluded.added_by else e.added_by end,
               proved_at = coalesce(e.proved_at, now()), undeliverable_since = null,
               source = case when is_put_in(e.source) then e.source else excluded.source end,
               joined_by = coalesce(e.joined_by, excluded.joined_by);
    end if;
    delete from flows where id = p_flow;
    insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id)
    values ('address_added', 'done', p_kind, p_account, p_session, p_client, p_address, p_request);
    perform notify_account(p_account, 'address_added', jsonb_build_object('kind', p_kind), p_client);
    perform pg_notify('gateway_sessions', 'account:' || p_account);
    renewed := renew_guest_session(p_account, was_guest, p_session, null, p, p_gate);
    outcome := 'added';
end $$;
