\set session 6000000000 + random(0, :people * 5 - 1)
select found, account_id from search_accounts_by_id(lpad(:session::text, 32, '0')) limit 21;
