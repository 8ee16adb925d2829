-- Ends every session of an account, its pending sign-ins and the marks of its devices. Returns the number of sessions.
-- Locks: accounts (for update), *end_account_access. A sign-in under way ends too.
-- Invariant: an ended session stays ended.
create or replace function sign_out_everywhere(p_account uuid, p_session uuid, p_client text, p_address text, p_request text) returns integer
language plpgsql as $$
declare
    ended integer;
begin
    -- A separate statement, so that the next one sees a session from a concurrent step-up.
    perform 1 from accounts where id = p_account for update;
    ended := end_account_access(p_account, 'signed_out_everywhere');
    insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id, detail)
    values ('session_ended', 'done', 'signed_out_everywhere', p_account, p_session, p_client, p_address, p_request,
            jsonb_build_object('sessions', ended));
    return ended;
end $$;
