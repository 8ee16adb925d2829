-- Whether a session may change the sign-in methods of its account: live, proved within `p_recent_seconds`, and with the
-- proofs that lacks_proof asks for. A guest's session has proved nothing. Returns null, or the refusal. Locks the account
-- against concurrent changes.
-- Locks: accounts (for no key update). Two such changes follow each other.
-- Outcomes: session_ended, reauth_required, step_up_required, null
-- Invariant: an ended session stays ended.
create or replace function may_change_factors(p_account uuid, p_session uuid, p_recent_seconds integer) returns text language plpgsql as $$
declare
    session record;
begin
    perform 1 from accounts where id = p_account and status = 'active' for no key update;
    if not found then
        return 'session_ended';
    end if;
    select * into session from sessions where id = p_session and account_id = p_account and ended_at is null and expires_at > now();
    if not found then
        return 'session_ended';
    end if;
    if session.acr = '0' or (session.auth_time >= now() - make_interval(secs => p_recent_seconds)) is not true then
        return 'reauth_required';
    end if;
    if lacks_proof(p_account, session.acr, session.proofs) then
        return 'step_up_required';
    end if;
    return null;
end $$;
