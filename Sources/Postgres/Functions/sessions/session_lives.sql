-- Whether a session may still act for its account. The caller holds the account, so a concurrent end of the session is
-- visible or waits.
-- Locks: none. The caller holds the account: a change that ended the session is committed and seen, or waits.
-- Invariant: an ended session stays ended.
create or replace function session_lives(p_account uuid, p_session uuid) returns boolean language sql stable as $$
    select exists (select from accounts a join sessions s on s.account_id = a.id
                     join clients c on c.id = s.client_id and c.disabled_at is null and s.created_at >= c.live_since
                    where a.id = p_account and a.status = 'active' and s.id = p_session and s.ended_at is null
                      and s.expires_at > now());
$$;
