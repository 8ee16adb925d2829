-- The main proved mailbox of an account, unless it came since a moment. A code for a new password may go there.
-- Locks: none
create or replace function mailbox_before(p_account uuid, p_since timestamptz) returns text language sql stable as $$
    select e.address from account_emails e
     where e.account_id = p_account and e.is_main and e.proved_at is not null
       and not exists (select from methods_since(p_account, p_since) m where m.kind = 'email' and m.id = e.address_key);
$$;
