-- Stores the SRP verifiers of a password. The user id of a name that moved to another account moves along.
-- Locks: srp_verifiers.
create or replace function keep_srp_verifiers(p_account uuid, p_password password_verifiers) returns void language plpgsql as $$
begin
    insert into srp_verifiers (user_id, realm, account_id, hash, group_id, sealed)
    select v.user_id, v.realm, p_account, (p_password).hash, v.group_id, v.sealed from unnest((p_password).srp) v order by v.user_id
    on conflict (user_id, realm) do update
       set account_id = excluded.account_id, hash = excluded.hash, group_id = excluded.group_id, sealed = excluded.sealed;
end $$;
