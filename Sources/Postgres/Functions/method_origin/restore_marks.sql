-- Restores the marks from joined_marks after an undo, on the items that moved back.
-- Locks: identities, account_emails, account_phones, passkeys, factors, passwords. The caller holds the account.
create or replace function restore_marks(p_account uuid, p_items jsonb, p_marks jsonb) returns void language plpgsql as $$
begin
    update identities set joined_at = (p_marks->id::text->>'at')::timestamptz, joined_by = p_marks->id::text->>'by'
     where account_id = p_account and id = any (ids_of(p_items, 'identities'));
    update account_emails set joined_at = (p_marks->address_key->>'at')::timestamptz, joined_by = p_marks->address_key->>'by'
     where account_id = p_account and address_key = any (keys_of(p_items, 'emails'));
    update account_phones set joined_at = (p_marks->phone_key->>'at')::timestamptz, joined_by = p_marks->phone_key->>'by'
     where account_id = p_account and phone_key = any (keys_of(p_items, 'phones'));
    update passkeys set joined_at = (p_marks->id::text->>'at')::timestamptz, joined_by = p_marks->id::text->>'by'
     where account_id = p_account and id = any (ids_of(p_items, 'passkeys'));
    update factors set joined_at = (p_marks->id::text->>'at')::timestamptz, joined_by = p_marks->id::text->>'by'
     where account_id = p_account and id = any (ids_of(p_items, 'factors'));
    if (p_items->>'password')::boolean then
        update passwords set joined_at = (p_marks->'password'->>'at')::timestamptz, joined_by = p_marks->'password'->>'by'
         where account_id = p_account;
    end if;
end $$;
