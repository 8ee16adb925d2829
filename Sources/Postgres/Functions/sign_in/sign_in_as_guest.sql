-- Creates an account without a credential, and its first session. `p_gate` has no proofs, so no later change of the
-- account's sign-in methods can rest on this sign-in.
-- Locks: accounts (new), *reach_session.
-- Outcomes: *reach_session
create or replace function sign_in_as_guest(p_account uuid, p session_request, p_gate jsonb, out outcome text, out account_created timestamptz)
language plpgsql as $$
begin
    account_created := now();
    insert into accounts (id, client_id, guest, created_at) values (p_account, p.client_id, true, account_created);
    outcome := reach_session(p, p_account, null, 'account_created', 'guest', null, null, p_gate);
end $$;
