-- Marks the moved sign-in methods with the time and the mover: own_merge or operator. A factor that the user moves next
-- to a method that another person put in counts like one enrolled there.
-- Locks: identities, account_emails, account_phones, passwords, passkeys, factors. The caller holds the account.
create or replace function mark_joined(p_account uuid, p_items jsonb, p_by text) returns void language plpgsql as $$
declare
    how text := p_by;
begin
    update identities set joined_at = now(), joined_by = joined_by(case when is_put_in(linked_by) then linked_by else joined_by end, p_by)
     where account_id = p_account and id = any (ids_of(p_items, 'identities'));
    update account_emails set joined_at = now(), joined_by = joined_by(case when is_put_in(source) then source else joined_by end, p_by)
     where account_id = p_account and address_key = any (keys_of(p_items, 'emails'));
    update account_phones set joined_at = now(), joined_by = joined_by(case when is_put_in(source) then source else joined_by end, p_by)
     where account_id = p_account and phone_key = any (keys_of(p_items, 'phones'));
    if (p_items->>'password')::boolean then
        update passwords set joined_at = now(), joined_by = joined_by(joined_by, p_by) where account_id = p_account;
    end if;
    if p_by = 'own_merge' and was_put_in(p_account) then
        how := 'beside_operator';
    end if;
    update passkeys set joined_at = now(), joined_by = joined_by(joined_by, how)
     where account_id = p_account and id = any (ids_of(p_items, 'passkeys'));
    update factors set joined_at = now(), joined_by = joined_by(joined_by, how)
     where account_id = p_account and id = any (ids_of(p_items, 'factors'));
end $$;
