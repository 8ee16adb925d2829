-- Moves the listed items from one account to another. All must exist. None becomes a main one.
-- Locks: identities, *end_guest, account_emails, *forget_address_changes, account_phones, passkeys, factors, passwords,
-- accounts. The caller holds both accounts.
-- Invariant: one identity has one account.
create or replace function move_items(p_from uuid, p_to uuid, p_items jsonb) returns void language plpgsql as $$
declare
    moved integer;
    total integer := 0;
begin
    update identities set account_id = p_to where account_id = p_from and id = any (ids_of(p_items, 'identities'));
    get diagnostics moved = row_count; total := total + moved;
    update account_emails set account_id = p_to, is_main = false where account_id = p_from and address_key = any (keys_of(p_items, 'emails'));
    get diagnostics moved = row_count; total := total + moved;
    update account_phones set account_id = p_to, is_main = false where account_id = p_from and phone_key = any (keys_of(p_items, 'phones'));
    get diagnostics moved = row_count; total := total + moved;
    update passkeys set account_id = p_to, is_preferred = false where account_id = p_from and id = any (ids_of(p_items, 'passkeys'));
    get diagnostics moved = row_count; total := total + moved;
    update factors set account_id = p_to, is_preferred = false where account_id = p_from and id = any (ids_of(p_items, 'factors'));
    get diagnostics moved = row_count; total := total + moved;
    if (p_items->>'password')::boolean then
        update passwords set account_id = p_to where account_id = p_from;
        get diagnostics moved = row_count;
        total := total + moved - 1;
        update accounts t set password_state = f.password_state from accounts f where t.id = p_to and f.id = p_from;
        update accounts set password_state = 'usable' where id = p_from;
    end if;
    if total <> jsonb_array_length(coalesce(p_items->'identities', '[]')) + jsonb_array_length(coalesce(p_items->'emails', '[]'))
              + jsonb_array_length(coalesce(p_items->'phones', '[]')) + jsonb_array_length(coalesce(p_items->'passkeys', '[]'))
              + jsonb_array_length(coalesce(p_items->'factors', '[]')) then
        raise exception 'accounts changed' using errcode = 'LG011';
    end if;
end $$;
