-- Creates the account of a proved sign-up, and signs in. `p_proved_key`: the key of the proved address or number.
-- Locks: *add_signed_up_account, *reach_session.
-- Outcomes: *add_signed_up_account, *reach_session
create or replace function make_signed_up_account(
    p_account uuid, p_state jsonb, p_proved_key text, p session_request, p_gate jsonb,
    out outcome text, out display_name text, out email text, out account_created timestamptz)
language plpgsql as $$
begin
    account_created := now();
    display_name := p_state->>'display_name';
    email := coalesce(p_state->>'email', p_state->>'address');
    outcome := add_signed_up_account(p_account, p_state, p_proved_key, (p).client_id, (p).request_id);
    if outcome is null then
        outcome := reach_session(p, p_account, null, 'account_created', 'sign_up', null, null, p_gate);
    end if;
end $$;
