-- Whether a device mark is among the known devices of an account, or a device among the confirmed ones.
-- Locks: none
create or replace function is_known_device(p_account uuid, p_digest bytea) returns boolean language plpgsql stable as $$
begin
    return exists (select from known_devices where account_id = p_account and digest = p_digest and expires_at > now())
        or exists (select from remembered_devices where account_id = p_account and digest = p_digest and expires_at > now());
end $$;
