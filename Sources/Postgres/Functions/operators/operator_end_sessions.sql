-- Ends one session of an account, or all with its pending sign-ins and the marks of its devices, for an operator.
-- Returns null, or the refusal.
-- Locks: *end_session, accounts (for update), *end_account_access. One session, or the
-- account first.
-- Outcomes: not_found, null
-- Invariant: an ended session stays ended.
create or replace function operator_end_sessions(p_account uuid, p_session uuid, p_address text, p_request text) returns text language plpgsql as $$
declare
    ended integer;
begin
    if p_session is not null then
        return case when end_session(p_account, p_session, 'ended_by_operator', null, p_address, p_request) then null else 'not_found' end;
    end if;
    perform from accounts where id = p_account for update;
    if not found then
        return 'not_found';
    end if;
    ended := end_account_access(p_account, 'ended_by_operator');
    insert into audit_inbox (action, outcome, reason, account_id, address, request_id, detail)
    values ('sessions_ended', 'done', 'ended_by_operator', p_account, p_address, p_request, jsonb_build_object('count', ended));
    return null;
end $$;
