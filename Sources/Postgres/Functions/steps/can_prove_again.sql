-- Whether a step-up can ask an account for another proof than a provider's: a code to a proved mailbox or number, a passkey,
-- or the password.
-- Locks: none
create or replace function can_prove_again(p_account uuid) returns boolean language plpgsql stable as $$
begin
    return exists (select from account_emails e where e.account_id = p_account and e.proved_at is not null and not e.is_relay)
           or exists (select from account_phones p where p.account_id = p_account and p.proved_at is not null)
           or exists (select from passkeys k where k.account_id = p_account)
           or exists (select from passwords w join accounts a on a.id = w.account_id
                       where w.account_id = p_account and a.password_state = 'usable');
end $$;
