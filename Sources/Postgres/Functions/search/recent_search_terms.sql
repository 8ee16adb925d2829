-- Search terms of accounts that changed in the last seconds and whose events are not sealed yet.
-- Locks: none
create or replace function recent_search_terms() returns table (kind text, term text, account_id uuid) language sql stable as $$
    select t.kind, t.term, recent.id
      from (select distinct a.id from audit_inbox e cross join lateral accounts_of_event(e.account_id, e.detail) a (id)
              where changes_search_terms(e.action, e.outcome)) recent
     cross join lateral account_search_terms(recent.id) t
$$;
