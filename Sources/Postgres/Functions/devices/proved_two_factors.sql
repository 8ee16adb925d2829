-- Whether a session proved two factors within the last seconds.
-- Locks: none
create or replace function proved_two_factors(p_session uuid, p_recent_seconds integer) returns boolean language sql stable as $$
    select exists (select from sessions s
                    where s.id = p_session and s.acr = '2' and s.auth_time >= now() - make_interval(secs => p_recent_seconds))
$$;
