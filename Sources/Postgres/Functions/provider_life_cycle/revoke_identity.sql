-- Ends everything that began with an identity after its consent was withdrawn. Its tokens are deleted, not revoked. The
-- identity stays linked, because the user can consent again. Returns the number of ended sessions.
-- Locks: *lock_sessions, sessions, *note_logout, flows, provider_tokens, identities. The caller holds the account.
-- Invariant: an ended session stays ended.
create or replace function revoke_identity(p_account uuid, p_identity uuid, p_reason text, p_at timestamptz) returns integer language plpgsql as $$
declare
    ended integer;
begin
    perform lock_sessions(array[p_account]);
    update sessions set ended_at = now(), end_reason = p_reason
     where account_id = p_account and identity_id = p_identity and ended_at is null;
    get diagnostics ended = row_count;
    delete from flows where account_id = p_account and identity_id = p_identity;
    delete from provider_tokens where identity_id = p_identity;
    update identities set revoked_at = p_at where id = p_identity;
    perform pg_notify('gateway_sessions', 'account:' || p_account);
    return ended;
end $$;
