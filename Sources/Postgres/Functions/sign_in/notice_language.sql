-- The language of an account's notices; null where no session tells it. An intruder must not choose it: a session counts once it is 7
-- days old. Of several the newest counts; where all are younger, the oldest.
-- Locks: none
create or replace function notice_language(p_account uuid) returns text language sql stable as $$
    select s.language
      from sessions s
     cross join lateral (select s.created_at - (now() - interval '7 days') as youth) y
     where s.account_id = p_account and s.actor_id is null and s.language is not null
     order by y.youth > interval '0', greatest(y.youth, -y.youth) limit 1;
$$;
