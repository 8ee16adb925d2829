-- Whether an account has a sign-in method besides codes to its addresses: such an account needs no invitation.
-- Locks: none
create or replace function has_own_method(p_account uuid) returns boolean language sql stable as $$
    select exists (select from passwords w join accounts a on a.id = w.account_id where w.account_id = p_account and a.password_state = 'usable')
           or exists (select from identities where account_id = p_account) or exists (select from passkeys where account_id = p_account);
$$;
