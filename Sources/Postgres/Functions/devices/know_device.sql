-- Keeps a device's mark for 180 days. Of an account's marks the eight newest stay.
-- Locks: known_devices (for update skip locked).
create or replace function know_device(p_account uuid, p_digest bytea) returns void language plpgsql as $$
begin
    insert into known_devices (account_id, digest, expires_at) values (p_account, p_digest, now() + interval '180 days')
    on conflict (account_id, digest) do nothing;
    if found then
        delete from known_devices d
         where d.account_id = p_account
           and d.digest in (select o.digest from known_devices o where o.account_id = p_account
                             order by o.issued_at desc, o.digest offset 8 for update skip locked);
    end if;
end $$;
