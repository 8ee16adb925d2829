-- A merge for an undo that later changes of the kept account must not block. It has only the moved items that the kept account
-- still has, and the kept account's own settings since then. Without a second factor of its own, that account asks for none.
-- Locks: none
create or replace function merge_as_left(p_merge account_changes) returns account_changes language plpgsql stable as $$
declare
    found_ account_changes := p_merge;
    items constant jsonb := p_merge.state->'items';
    was constant jsonb := p_merge.state->'kept';
    kept accounts;
    absorbed accounts;
begin
    select * into kept from accounts where id = p_merge.account_id;
    select * into absorbed from accounts where id = p_merge.other_id;
    found_.state := p_merge.state || jsonb_build_object(
        'items', jsonb_build_object(
            'identities', (select coalesce(jsonb_agg(id), '[]') from identities where account_id = kept.id and id = any (ids_of(items, 'identities'))),
            'emails', (select coalesce(jsonb_agg(address_key), '[]') from account_emails
                        where account_id = kept.id and address_key = any (keys_of(items, 'emails'))),
            'phones', (select coalesce(jsonb_agg(phone_key), '[]') from account_phones
                        where account_id = kept.id and phone_key = any (keys_of(items, 'phones'))),
            'passkeys', (select coalesce(jsonb_agg(id), '[]') from passkeys where account_id = kept.id and id = any (ids_of(items, 'passkeys'))),
            'factors', (select coalesce(jsonb_agg(id), '[]') from factors where account_id = kept.id and id = any (ids_of(items, 'factors'))),
            'password', (items->>'password')::boolean and exists (select from passwords where account_id = kept.id)),
        'kept', was || jsonb_build_object(
            'mfa', kept.mfa and (exists (select from factors where account_id = kept.id and id <> all (ids_of(items, 'factors')))
                                 or (was->>'mfa')::boolean and exists (select from passkeys where account_id = kept.id
                                                                          and id <> all (ids_of(items, 'passkeys')))),
            'mfa_demanded', kept.mfa_demanded and ((was->>'mfa_demanded')::boolean or not absorbed.mfa_demanded),
            'password_state', case when (items->>'password')::boolean then 'usable' else kept.password_state end));
    return found_;
end $$;
