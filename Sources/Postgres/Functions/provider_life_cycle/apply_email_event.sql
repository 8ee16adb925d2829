-- Stores whether mail reaches an identity's relay address. A new relay address replaces the old one.
-- Locks: account_emails, *forget_address_changes, identities. The caller holds the account.
create or replace function apply_email_event(p_identity identities, p_is_on boolean, p_email text, p_at timestamptz) returns void language plpgsql as $$
declare
    old_key text := case when p_identity.email_is_relay then lower(p_identity.email collate "C") end;
    new_key text := lower(coalesce(p_email, case when p_identity.email_is_relay then p_identity.email end) collate "C");
begin
    if p_is_on and old_key is not null and new_key <> old_key then
        update account_emails set address = p_email, address_key = new_key
         where account_id = p_identity.account_id and is_relay and address_key = old_key
           and not exists (select from account_emails where account_id = p_identity.account_id and address_key = new_key);
        update identities set email = p_email where id = p_identity.id;
    end if;
    update account_emails
       set forwarding_off_since = case when not p_is_on then p_at end, undeliverable_since = case when not p_is_on then p_at end
     where is_relay and address_key in (old_key, new_key);
end $$;
