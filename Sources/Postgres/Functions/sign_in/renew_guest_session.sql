-- Makes the session with which the user goes on after the upgrade of a guest (`p_guest`), because end_guest ended the guest's
-- session `p_session` with every copy of its tokens. Returns whether it did: not where a further step is due.
-- Locks: *make_session. The caller holds the account.
create or replace function renew_guest_session(
    p_account uuid, p_guest boolean, p_session uuid, p_identity uuid, p session_request, p_gate jsonb) returns boolean
language plpgsql as $$
begin
    if p_guest is not true or p.id is null or is_step_due(p, p_account, p_gate) then
        return false;
    end if;
    p.presented_session := p_session;
    perform make_session(p, p_account, p_identity, 'signed_in', 'guest_upgraded', null, p_gate->'proofs');
    return true;
end $$;
