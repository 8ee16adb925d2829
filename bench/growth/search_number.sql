\set person 2 * random(1, :people / 2)
select found, account_id from search_accounts_by_prefix('phone', (select phone_key from account_phones where account_id = lpad(:person::text, 32, '0')::uuid), null, null, 21);
