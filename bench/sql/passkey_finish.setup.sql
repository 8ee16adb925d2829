-- People with a passkey each: the one that the gateway took last, under other ids.
with people as (
    select number, lpad(number::text, 32, '0')::uuid as account, 'pgbench' || number || '@example.com' as address
    from generate_series(1, :people) as number
), made as (
    insert into accounts (id, display_name) select account, 'Person ' || number from people on conflict do nothing
), addresses as (
    insert into account_emails (account_id, address_key, address, source, proved_at)
    select account, address, address, 'apple', now() from people
    on conflict do nothing
)
insert into passkeys (id, account_id, credential_id, user_handle, public_key, algorithm, counter, transports, aaguid, backup_eligible,
                      backed_up, attestation)
select md5('passkey ' || number)::uuid, account, sha256(('passkey ' || number)::bytea), uuid_send(account), first.public_key,
       first.algorithm, first.counter, first.transports, first.aaguid, first.backup_eligible, first.backed_up, first.attestation
from people, (select * from passkeys where name = 'first' order by added_at desc limit 1) as first
on conflict do nothing;
analyze accounts, account_emails, passkeys;
