-- Search terms of accounts that changed within the last seconds: the sealer has not seen their events yet.
-- Locks: none
create or replace function recent_search_terms() returns table (kind text, term text, account_id uuid) language sql stable as $$
    select t.kind, t.term, recent.id
      from (select distinct a.id from audit_inbox e cross join lateral accounts_of_event(e.account_id, e.detail) a (id)
              where changes_search_terms(e.action, e.outcome)) recent
     cross join lateral account_search_terms(recent.id) t
$$;
