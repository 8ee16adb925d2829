-- Whether one of two accounts has a pending deletion; the second may be null.
-- Locks: none
create or replace function deletion_waits(p_one uuid, p_other uuid) returns boolean language sql stable as $$
    select exists (select from accounts where id in (p_one, p_other) and deletion_due_at is not null);
$$;
