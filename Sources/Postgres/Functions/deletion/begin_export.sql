-- Records an export of a user's data. For the user: the session must allow account changes, the rate is limited to
-- `p_burst` and then one per `p_period` milliseconds, and the addresses are notified.
-- Locks: *may_change_account, *take_from_throttles. Nothing where an operator asks.
-- Outcomes: wait, not_found, granted, *may_change_account
create or replace function begin_export(
    p_account uuid, p_actor uuid, p_reason text, p_session uuid, p_recent_seconds integer, p_burst bigint, p_period bigint,
    p_client text, p_address text, p_request text,
    out outcome text, out wait double precision)
language plpgsql as $$
begin
    if p_session is not null then
        outcome := may_change_account(p_account, p_session, p_recent_seconds);
        if outcome is not null then
            return;
        end if;
        wait := take_from_throttles(array[substr(sha256(('export ' || p_account)::bytea), 1, 16)], array[p_burst], array[p_period]);
        if wait > 0 then
            outcome := 'wait';
            return;
        end if;
        perform notify_account(p_account, 'account_exported', '{}', p_client);
    elsif not exists (select from accounts where id = p_account) then
        outcome := 'not_found';
        return;
    end if;
    insert into audit_inbox (action, outcome, reason, account_id, actor_id, session_id, client_id, address, request_id)
    values ('account_exported', 'done', p_reason, p_account, p_actor, p_session, p_client, p_address, p_request);
    outcome := 'granted';
end $$;
