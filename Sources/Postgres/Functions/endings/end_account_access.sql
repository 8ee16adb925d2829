-- Ends everything by which a device has access to an account or gets it with fewer proofs: sessions, flows, known and
-- remembered devices. Returns the number of ended sessions.
-- Locks: flows, remembered_devices, known_devices, *end_account_sessions.
-- Invariant: an ended session stays ended.
create or replace function end_account_access(p_account uuid, p_reason text) returns integer language plpgsql as $$
begin
    delete from flows where account_id = p_account;
    delete from remembered_devices where account_id = p_account;
    delete from known_devices where account_id = p_account;
    return end_account_sessions(p_account, p_reason, null);
end $$;
