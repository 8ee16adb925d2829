-- Stores a message, leased to the writing server, which sends it immediately. Another server takes over if that one
-- dies. Null stores nothing.
-- Locks: none
create or replace function enqueue(p outgoing_message) returns void language plpgsql as $$
begin
    if p.id is null then
        return;
    end if;
    insert into outbox (id, medium, address, kind, language, client_id, account_id, sealed, tries, claimed_until, expires_at)
    values (p.id, p.medium, p.address, p.kind, p.language, p.client_id, p.account_id, p.sealed, 1,
            clock_timestamp() + make_interval(secs => p.lease_seconds), now() + make_interval(secs => p.life_seconds));
end $$;
