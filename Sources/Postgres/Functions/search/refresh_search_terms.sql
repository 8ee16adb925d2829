-- Recomputes the search terms of these accounts. The sealer calls it for accounts with changes, so that no request pays
-- for operators' searches. It locks no account: the event of a concurrent erasure triggers another refresh. Unknown ids
-- are ignored.
-- Locks: search_terms.
create or replace function refresh_search_terms(p_accounts uuid[]) returns void language plpgsql as $$
begin
    delete from search_terms s
     where s.account_id = any (p_accounts)
       and not exists (select from account_search_terms(s.account_id) t where t.kind = s.kind and t.term = s.term);
    insert into search_terms (kind, term, account_id)
    select t.kind, t.term, a.id from accounts a cross join lateral account_search_terms(a.id) t
     where a.id = any (p_accounts) order by 1, 2, 3
        on conflict do nothing;
end $$;
