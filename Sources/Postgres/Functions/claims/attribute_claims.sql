-- The claims from an account's attributes, by a map from attribute to claim, at most `p_most_bytes` in all. An address
-- or number counts only if it is proved. No self-entered attribute can replace it.
-- Locks: none
create or replace function attribute_claims(p_account uuid, p_map jsonb, p_most_bytes integer) returns jsonb language plpgsql stable as $$
declare
    known jsonb;
    mapped record;
    claims jsonb := '{}';
    room integer := p_most_bytes;
begin
    if p_map = '{}' then
        return claims;
    end if;
    select (a.attributes - array['display_name', 'user_name', 'email', 'phone'])
           || jsonb_strip_nulls(jsonb_build_object(
               'display_name', a.display_name, 'user_name', a.user_name,
               'email', (select e.address from account_emails e
                          where e.account_id = a.id and e.proved_at is not null order by e.is_main desc, e.added_at limit 1),
               'phone', (select p.phone_key from account_phones p
                          where p.account_id = a.id and p.proved_at is not null order by p.is_main desc, p.added_at limit 1)))
      into known from accounts a where a.id = p_account;
    for mapped in select m.key as attribute, m.value as claim from jsonb_each_text(p_map) m order by m.key loop
        if known ? mapped.attribute then
            room := room - octet_length(mapped.claim) - octet_length((known->mapped.attribute)::text);
            exit when room < 0;
            claims := claims || jsonb_build_object(mapped.claim, known->mapped.attribute);
        end if;
    end loop;
    return claims;
end $$;
