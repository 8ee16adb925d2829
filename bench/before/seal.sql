-- A batch of the sealer in the schema without an inbox (commit 0d936e3): 1,000 events get a row each in the chain. The digests
-- are zeros: the gateway makes them.
begin;
select pg_try_advisory_xact_lock(hashtextextended('audit chain', 4));
select coalesce(c.position, k.position), coalesce(c.digest, k.digest),
       greatest(k.event_id, (select max(event_id) from audit_chain)),
       case when c.at is not null then least(c.at, clock_timestamp()) end
  from audit_checkpoint k
  left join (select position, digest, at from audit_chain order by position desc limit 1) c on true;
select before + 1, event_id - 1
  from (select event_id, lag(event_id, 1, (select max(event_id) - 5000 from audit_chain)) over (order by event_id) as before
          from audit_chain where event_id > (select max(event_id) - 5000 from audit_chain)) as sealed
 where event_id > before + 1;
select e.id, e.at, e.action, e.outcome, e.reason, e.account_id, e.identity_id, e.session_id, e.client_id, e.provider,
       e.address, e.request_id, e.detail::text, e.actor_id, e.words
  from audit_events e
 where e.id > greatest((select k.event_id from audit_checkpoint k), (select max(event_id) from audit_chain))
 order by e.id limit 1000;
insert into audit_chain (position, event_id, at, key_id, row_digest, digest)
select head.position + row_number() over (order by e.id), e.id, e.at, 'bench', decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex')
  from (select coalesce(max(c.position), (select k.position from audit_checkpoint k)) as position,
               greatest((select k.event_id from audit_checkpoint k), max(c.event_id)) as event from audit_chain c) head
  cross join lateral (select a.id, a.at from audit_events a where a.id > head.event order by a.id limit 1000) e;
end;
