-- Whether the newest message to an address bounced.
-- Locks: none
create or replace function newest_bounced(p_medium text, p_address text) returns boolean language sql stable as $$
    select coalesce((select o.state = 'bounced' from outbox o
                      where o.medium = p_medium and lower(o.address collate "C") = lower(p_address collate "C")
                      order by o.created_at desc limit 1), false);
$$;
