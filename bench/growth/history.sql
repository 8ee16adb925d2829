\set person random(1, :people)
select * from account_events(lpad(:person::text, 32, '0')::uuid, false, null, null, null, true, 51);
