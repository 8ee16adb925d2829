-- The app of an account's newest session of its own user; null without one. The notices that no app asked for name it.
-- Locks: none
create or replace function newest_app(p_account uuid) returns text language sql stable as $$
    select s.client_id from sessions s where s.account_id = p_account and s.actor_id is null order by s.id desc limit 1;
$$;
