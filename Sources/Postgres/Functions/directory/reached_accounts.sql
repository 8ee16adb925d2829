-- The open accounts that an access key reaches: those of its apps (pool_apps), or with the reach `gateway` of every app.
-- Never an operator's. Without a key: every open account. Every call with a key finds its accounts here.
-- Locks: none
create or replace function reached_accounts(p_key text) returns setof accounts language sql stable as $$
    select a.* from accounts a
     where a.status <> 'closed'
       and (p_key is null
            or not exists (select from operators o where o.account_id = a.id)
               and (exists (select from access_keys k where k.id = p_key and k.reach = 'gateway')
                    or a.client_id = any (array(select pool_apps(p_key)))
                    or exists (select from account_apps m
                                where m.account_id = a.id and m.client_id = any (array(select pool_apps(p_key))))));
$$;
