-- Accounts by the beginning of a name, address or number, in the order of what was found, after `p_after`. The end of
-- a range of texts that begin alike is the text with the greatest character behind it. Its beginning stands in the
-- comparison of rows, since that is where PostgreSQL enters an index: from the index's first page on it would be read.
-- Locks: none
create or replace function search_accounts_by_prefix(p_kind text, p_prefix text, p_after text, p_after_id uuid, p_limit integer)
returns table (found text, account_id uuid) language plpgsql stable as $$
declare
    last_ constant text := lower(p_prefix) || U&'\+10FFFF';
    from_ constant text := greatest(lower(p_prefix) collate "C", p_after collate "C");
    from_id constant uuid := coalesce(p_after_id, '00000000-0000-0000-0000-000000000000');
begin
    if p_kind = 'email' then
        return query
            (select e.address_key, e.account_id from account_emails e
              where (e.address_key collate "C", e.account_id) > (from_, from_id) and e.address_key collate "C" < last_
              order by e.address_key collate "C", e.account_id limit p_limit)
            union
            (select lower(i.email), i.account_id from identities i
              where i.email is not null and (lower(i.email) collate "C", i.account_id) > (from_, from_id) and lower(i.email) collate "C" < last_
              order by lower(i.email) collate "C", i.account_id limit p_limit)
            order by 1, 2 limit p_limit;
    elsif p_kind = 'phone' then
        return query
            select p.phone_key, p.account_id from account_phones p
             where (p.phone_key collate "C", p.account_id) > (from_, from_id) and p.phone_key collate "C" < last_
             order by p.phone_key collate "C", p.account_id limit p_limit;
    else
        return query
            (select lower(a.display_name), a.id from accounts a
              where a.display_name is not null and (lower(a.display_name) collate "C", a.id) > (from_, from_id)
                and lower(a.display_name) collate "C" < last_
              order by lower(a.display_name) collate "C", a.id limit p_limit)
            union
            (select lower(substring(a.display_name from '[^ ]+$')), a.id from accounts a
              where a.display_name like '% %' and (lower(substring(a.display_name from '[^ ]+$')) collate "C", a.id) > (from_, from_id)
                and lower(substring(a.display_name from '[^ ]+$')) collate "C" < last_
              order by lower(substring(a.display_name from '[^ ]+$')) collate "C", a.id limit p_limit)
            union
            (select e.address_key, e.account_id from account_emails e
              where (e.address_key collate "C", e.account_id) > (from_, from_id) and e.address_key collate "C" < last_
              order by e.address_key collate "C", e.account_id limit p_limit)
            union
            (select a.user_name_key, a.id from accounts a
              where a.user_name_key is not null and (a.user_name_key collate "C", a.id) > (from_, from_id)
                and a.user_name_key collate "C" < last_
              order by a.user_name_key collate "C", a.id limit p_limit)
            order by 1, 2 limit p_limit;
    end if;
end $$;
