-- Stores verifiers that were missing or outdated, of the password with the hash `p_hash`. The SRP verifiers of its other
-- names stay: they follow the new hash.
-- Locks: passwords, srp_verifiers, *keep_srp_verifiers.
create or replace function renew_verifiers(p_account uuid, p_hash text, p_new password_verifiers) returns void language plpgsql as $$
begin
    if (p_new).hash <> p_hash then
        update passwords set hash = (p_new).hash where account_id = p_account and hash = p_hash;
        update srp_verifiers set hash = (p_new).hash where account_id = p_account and hash = p_hash;
    end if;
    perform keep_srp_verifiers(p_account, p_new);
end $$;
