-- Stores a device mark. An account keeps its `p_most` newest marks.
-- Locks: known_devices (for update skip locked).
create or replace function know_device(p_account uuid, p_digest bytea, p_seconds integer, p_most integer) returns void language plpgsql as $$
begin
    insert into known_devices (account_id, digest, expires_at) values (p_account, p_digest, now() + make_interval(secs => p_seconds))
    on conflict (account_id, digest) do nothing;
    if found then
        delete from known_devices d
         where d.account_id = p_account
           and d.digest in (select o.digest from known_devices o where o.account_id = p_account
                             order by o.issued_at desc, o.digest offset p_most for update skip locked);
    end if;
end $$;
