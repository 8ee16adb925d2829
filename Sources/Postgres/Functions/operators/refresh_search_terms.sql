-- Makes the search terms of these accounts what they are now. For the sealer, which knows from the events which accounts have
-- changed: no statement of a request pays for an operator's search. It holds no account. Where one is erased meanwhile, the event
-- of that brings the account here again. Ids that are no account's do no harm.
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
