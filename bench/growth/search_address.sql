\set person random(1, :people)
select found, account_id from search_accounts_by_prefix('email', 'pgbench' || :person || '@', null, null, 21);
