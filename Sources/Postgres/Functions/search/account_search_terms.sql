-- The search terms of an account that have no index of their own: name, last name, and addresses reported by its
-- providers, in lower case.
-- Locks: none
create or replace function account_search_terms(p_account uuid) returns table (kind text, term text) language sql stable as $$
    select 'name', lower(a.display_name) from accounts a where a.id = p_account and a.display_name is not null
    union all
    select 'last_name', lower(substring(a.display_name from '[^ ]+$')) from accounts a where a.id = p_account and a.display_name like '% %'
    union
    select 'reported_email', lower(i.email) from identities i where i.account_id = p_account and i.email is not null
$$;
