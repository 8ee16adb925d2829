-- The items of an account that another account lacks and can receive.
-- Locks: none
create or replace function movable_items(p_from uuid, p_to uuid) returns jsonb language sql stable as $$
    select jsonb_build_object(
        'identities', (select coalesce(jsonb_agg(id order by id), '[]') from identities where account_id = p_from),
        'emails', (select coalesce(jsonb_agg(address_key order by address_key), '[]') from account_emails e where account_id = p_from
                      and not exists (select from account_emails o where o.account_id = p_to and o.address_key = e.address_key)),
        'phones', (select coalesce(jsonb_agg(phone_key order by phone_key), '[]') from account_phones p where account_id = p_from
                      and not exists (select from account_phones o where o.account_id = p_to and o.phone_key = p.phone_key)),
        'passkeys', (select coalesce(jsonb_agg(id order by id), '[]') from passkeys where account_id = p_from),
        'factors', (select coalesce(jsonb_agg(id order by id), '[]') from factors f where account_id = p_from
                       and not exists (select from factors o where o.account_id = p_to and o.kind = f.kind and o.address_key = f.address_key)),
        'password', exists (select from passwords where account_id = p_from) and not exists (select from passwords where account_id = p_to));
$$;
