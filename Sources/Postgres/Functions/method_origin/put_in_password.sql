-- Stores a password that another person chose for the user: an operator, a back end or an import (`p_by`). Every such path
-- calls it, so that a later role sees the mark. The user's own passwords go through replace_password.
-- Locks: passwords, srp_verifiers, *keep_srp_verifiers. The caller holds the account, or has just made it.
create or replace function put_in_password(p_account uuid, p_password password_verifiers, p_by text) returns void language plpgsql as $$
begin
    insert into passwords as w (account_id, hash, joined_at, joined_by) values (p_account, (p_password).hash, now(), p_by)
    on conflict (account_id) do update
       set hash = excluded.hash, set_at = now(), set_through = null, joined_at = excluded.joined_at,
           joined_by = excluded.joined_by, former_hashes = (array[w.hash] || w.former_hashes)[1:4];
    delete from srp_verifiers where account_id = p_account;
    perform keep_srp_verifiers(p_account, p_password);
end $$;
