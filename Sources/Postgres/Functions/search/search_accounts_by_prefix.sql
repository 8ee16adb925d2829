-- Accounts by the prefix of a name, address or number, in the order of the matched text, after `p_after`. The upper
-- bound of the range is the prefix followed by the greatest character. The lower bound is part of the row comparison,
-- because PostgreSQL starts the index scan there.
--
-- One plan fits all values. Planning each call would take longer than the search.
-- Locks: none
create or replace function search_accounts_by_prefix(p_kind text, p_prefix text, p_after text, p_after_id uuid, p_limit integer)
returns table (found text, account_id uuid) language plpgsql stable set jit = off
set plan_cache_mode = force_generic_plan as $$
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
            (select s.term, s.account_id from search_terms s
              where s.kind = 'reported_email' and (s.term, s.account_id) > (from_, from_id) and s.term < last_
              order by s.term, s.account_id limit p_limit)
            union
            (select r.term, r.account_id from recent_search_terms() r
              where r.kind = 'reported_email' and (r.term collate "C", r.account_id) > (from_, from_id) and r.term collate "C" < last_
              order by r.term collate "C", r.account_id limit p_limit)
            order by 1, 2 limit p_limit;
    elsif p_kind = 'phone' then
        return query
            select p.phone_key, p.account_id from account_phones p
             where (p.phone_key collate "C", p.account_id) > (from_, from_id) and p.phone_key collate "C" < last_
             order by p.phone_key collate "C", p.account_id limit p_limit;
    else
        return query
            (select s.term, s.account_id from search_terms s
              where s.kind = 'name' and (s.term, s.account_id) > (from_, from_id) and s.term < last_
              order by s.term, s.account_id limit p_limit)
            union
            (select s.term, s.account_id from search_terms s
              where s.kind = 'last_name' and (s.term, s.account_id) > (from_, from_id) and s.term < last_
              order by s.term, s.account_id limit p_limit)
            union
            (select r.term, r.account_id from recent_search_terms() r
              where r.kind in ('name', 'last_name') and (r.term collate "C", r.account_id) > (from_, from_id) and r.term collate "C" < last_
              order by r.term collate "C", r.account_id limit p_limit)
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
