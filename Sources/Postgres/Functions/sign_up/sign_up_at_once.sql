-- Creates an account with a user name, without anything to prove.
-- Locks: *add_signed_up_account, *reach_session.
-- Outcomes: *add_signed_up_account, *reach_session
create or replace function sign_up_at_once(p_account uuid, p_state jsonb, p session_request, p_gate jsonb, out outcome text, out account_created timestamptz)
language plpgsql as $$
begin
    account_created := now();
    outcome := add_signed_up_account(p_account, p_state, null, p.client_id, p.request_id);
    if outcome is null then
        outcome := reach_session(p, p_account, null, 'account_created', 'sign_up', null, null, p_gate);
    end if;
end $$;
