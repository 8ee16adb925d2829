-- The app of the newest session that the user of an account began; null without one. Notices without an app name it.
-- Locks: none
create or replace function newest_app(p_account uuid) returns text language sql stable as $$
    select s.client_id from sessions s where s.account_id = p_account and s.actor_id is null order by s.id desc limit 1;
$$;
