\set person random(1, :people)
select found, account_id from search_accounts_by_prefix('name', (select display_name from accounts where id = lpad(:person::text, 32, '0')::uuid), null, null, 21);
